import { View } from "../../parts/view.js";

export function Rows() {
  return <View title="Rows" />;
}
