/** The question whether to open a database of which write-ahead logs are missing. */
import { lossQuestion } from "../page/session.js";
import { Text } from "../parts/text.js";
import { Dialog } from "./dialog.js";

/** The question, while it is asked. */
export function AskForLoss() {
  const question = lossQuestion.value;
  if (question === undefined) return null;
  return (
    <Dialog title="Write-ahead logs are missing" onClose={() => question.answer(false)}>
      <p>
        <Text value={question.loss} />
      </p>
      <p>
        <b>The newest rows may be only in them.</b> Without the logs the page shows an older state, and rows
        that were deleted may be there again.
      </p>
      <div class="actions">
        <button type="button" class="btn" onClick={() => question.answer(false)}>
          Do not open
        </button>
        <button type="button" class="btn primary" onClick={() => question.answer(true)}>
          Open without the missing logs
        </button>
      </div>
    </Dialog>
  );
}
