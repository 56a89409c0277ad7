import { View } from "../../parts/view.js";

export function History() {
  return <View title="History" />;
}
