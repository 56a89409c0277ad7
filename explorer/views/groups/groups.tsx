import { View } from "../../parts/view.js";

export function Groups() {
  return <View title="Groups" />;
}
