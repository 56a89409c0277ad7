import { View } from "../../parts/view.js";

export function Compare() {
  return <View title="Compare" />;
}
