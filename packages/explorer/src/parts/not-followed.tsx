/** Says in every view that a served database is not followed any more, so that the view may be outdated. */
import { followFailure, startFollowing } from "../page/live.js";
import { Note } from "./states.js";
import { Text } from "./text.js";

/** The note; nothing while the database is followed, or if it is not to be followed. */
export function NotFollowed() {
  if (followFailure.value === undefined) return null;
  return (
    <Note severity="error">
      <p>
        <b>The database is not followed any more.</b> The views keep what they had.{" "}
        <Text value={followFailure.value} most={300} />
      </p>
      <p>
        <button type="button" class="btn small" onClick={startFollowing}>
          Try again
        </button>
      </p>
    </Note>
  );
}
