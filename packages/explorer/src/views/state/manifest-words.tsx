/** The source of the names of a state, and a control to give others. */

import { useRef } from "preact/hooks";
import { rowsAddress } from "../../page/addresses.js";
import { messageOf } from "../../page/message-of.js";
import { moment } from "../../page/session.js";
import { type Answer, ask } from "../../page/worker-client.js";
import { Id } from "../../parts/id.js";
import { Text } from "../../parts/text.js";

/** A sentence about the manifest, with a control that takes another one. */
export function ManifestWords({
  contextId,
  source,
  onFailure,
}: {
  contextId: string;
  source: Answer<"stateRoot">["source"];
  /** Gets why a file cannot be used; undefined once one can. */
  onFailure: (message: string | undefined) => void;
}) {
  const picker = useRef<HTMLInputElement>(null);
  const give = async (file: File | undefined) => {
    try {
      await ask("a", "stateManifest", contextId, file);
      onFailure(undefined);
      // All answers that depend on the names are requested again.
      moment.value++;
    } catch (error) {
      onFailure(messageOf(error));
    }
  };
  const onInput = () => {
    const input = picker.current;
    const file = input?.files?.[0];
    if (file !== undefined) void give(file);
    if (input) input.value = "";
  };
  const isGiven = source.from === "file" || source.privateTypes !== undefined || source.hints !== undefined;
  return (
    <>
      <Source source={source} />{" "}
      <button type="button" class="linklike" onClick={() => picker.current?.click()}>
        {source.from === "rows" ? "Give an ABI" : "Use another"}
      </button>
      {isGiven && (
        <>
          {" or "}
          <button type="button" class="linklike" onClick={() => void give(undefined)}>
            forget {source.privateTypes !== undefined || source.hints !== undefined ? "the files" : "it"}
          </button>
        </>
      )}
      .
      <input
        ref={picker}
        type="file"
        class="manifest-file"
        accept=".wasm,.mpk,.json"
        aria-label="The manifest of the application: a .wasm, .mpk or .json file"
        tabIndex={-1}
        onChange={onInput}
      />
    </>
  );
}

function Source({
  source: { from, name = "", why, privateTypes, hints },
}: {
  source: Answer<"stateRoot">["source"];
}) {
  const more = (
    <>
      {hints !== undefined && (
        <>
          {" "}
          <b>
            <Text value={hints} most={80} />
          </b>{" "}
          settles what it leaves open.
        </>
      )}
      {privateTypes !== undefined && (
        <>
          {" "}
          The types of private data come from{" "}
          <b>
            <Text value={privateTypes} most={80} />
          </b>
          .
        </>
      )}
    </>
  );
  if (from === "file")
    return (
      <>
        The names come from{" "}
        <b>
          <Text value={name} most={80} />
        </b>
        , an ABI that you gave.{more}
      </>
    );
  if (from === "blob")
    return (
      <>
        The names come from the ABI in the code that the context runs, blob{" "}
        <Id id={name} address={rowsAddress("BlobMeta", { blobId: name })} />.{more}
      </>
    );
  return (
    <>
      <span title={why}>Without an ABI, only the Rust types in the rows are known.</span>
      {more}
    </>
  );
}
