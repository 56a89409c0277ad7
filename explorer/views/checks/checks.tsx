import { View } from "../../parts/view.js";

export function Checks() {
  return <View title="Checks" />;
}
