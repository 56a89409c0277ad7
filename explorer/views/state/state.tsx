import { View } from "../../parts/view.js";

export function State() {
  return <View title="State" />;
}
