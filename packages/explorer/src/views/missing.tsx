/** An address that leads nowhere. */
import { addressOf } from "../page/address.js";
import { Empty } from "../parts/states.js";
import { View } from "../parts/view.js";

export function Missing() {
  return (
    <View title="Nothing here">
      <Empty heading="This address leads nowhere.">
        <p>It may be from another version of this page.</p>
        <a class="btn" href={addressOf("overview")}>
          Go to the overview
        </a>
      </Empty>
    </View>
  );
}
