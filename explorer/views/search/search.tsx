import { View } from "../../parts/view.js";

export function Search() {
  return <View title="Search" />;
}
