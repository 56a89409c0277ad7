/** What is on this node? */
import { database } from "../../page/session.js";
import { useAnswer } from "../../page/use-answer.js";
import { Tag } from "../../parts/marks.js";
import { Answered } from "../../parts/states.js";
import { counted, Text } from "../../parts/text.js";
import { View } from "../../parts/view.js";

export function Overview() {
  const opened = database.value;
  const asked = useAnswer("overview");
  if (opened === undefined) return <View title="Overview" />;
  return (
    <View
      title="Overview"
      command={["info", opened.location]}
      head={
        <>
          <h1>
            <Text value={opened.name} most={80} />
          </h1>
          <Tag>{opened.revision}</Tag>
        </>
      }
    >
      <Answered asked={asked} what="Reading the names of groups and contexts.">
        {({ namespaces }) => <p class="answer">{counted(namespaces, "namespace")}</p>}
      </Answered>
    </View>
  );
}
