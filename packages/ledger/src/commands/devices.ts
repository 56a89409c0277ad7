/** The commands about the devices of a folder, in the order of the help. */

import { renameSync, writeFileSync } from "node:fs";
import { invalidArgument, MerostoreError } from "merostore/internal";
import {
  type CommandGroup,
  choice,
  command,
  type ExitStatus,
  fitted,
  json,
  type Terminal,
  table,
  text,
} from "merostore/internal/commands";
import { type FolderDevice, folderDevices, newDevice, startDevices } from "../index.js";
import { ABOUT_CLOUD, storeAt, tokenFile, wordIn } from "./cloud.js";

/** The file of this device: its secret, and the newest roster that it knows. */
export const device = text("<file>", 'the file of this device, made by "ledger device create"');

/** Makes the file of a device. Only its owner may read it. @throws MerostoreError INVALID_ARGUMENT if it exists */
function createDeviceFile(path: string, secret: string): void {
  try {
    write(path, { secret });
  } catch (cause) {
    throw new MerostoreError("INVALID_ARGUMENT", `${path} cannot be made: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** Returns the device of a file. @throws MerostoreError INVALID_ARGUMENT */
export function deviceIn(path: string | undefined): FolderDevice {
  const { secret, roster } = secretIn(path);
  if (roster === undefined)
    throw invalidArgument(
      `--device: ${path} has no roster: an admin adds the device, and "ledger device join" takes the roster`,
    );
  return { secret, roster };
}

/** Returns the secret in the file of a device that may have no roster. @throws MerostoreError INVALID_ARGUMENT */
function secretIn(path: string | undefined): { readonly secret: string; readonly roster?: string } {
  if (path === undefined) throw invalidArgument("give the file of this device: --device FILE");
  let found: unknown;
  try {
    found = JSON.parse(wordIn(path, "--device"));
  } catch (cause) {
    // The message of a syntax error may show the secret.
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  const { secret, roster } = (found ?? {}) as Partial<FolderDevice>;
  if (typeof secret !== "string" || (roster !== undefined && typeof roster !== "string"))
    throw invalidArgument(`--device: ${path} is not the file of a device`);
  return { secret, ...(roster !== undefined && { roster }) };
}

/** Stores the newest roster in the file of a device, which then accepts no older state of the folder. */
export function rememberRoster(path: string, roster: string | undefined): void {
  const known = secretIn(path);
  if (roster === undefined || roster === known.roster) return;
  const made = `${path}.new`;
  write(made, { ...known, roster }, "w");
  renameSync(made, path);
}

function write(path: string, content: object, flag = "wx"): void {
  writeFileSync(path, `${JSON.stringify(content)}\n`, { flag, mode: 0o600, flush: true });
}

/** Prints the id of a new roster, and stores it in the file of this device. */
async function tell(terminal: Terminal, file: string | undefined, roster: string): Promise<ExitStatus> {
  rememberRoster(file as string, roster);
  await terminal.line(roster);
  return 0;
}

/** The name of a device in the roster. */
const name = text("<name>", "the name of the device, 1 to 64 characters");

/** The examples that make a folder with an admin. */
const BEGIN = `  mkdir -p team
  merostore ledger device create laptop.json
  merostore ledger device start team --device laptop.json --name laptop`;

/** Prints the public key of a new device. */
const create = command({
  words: "create <file>",
  description: "make the key of this device: the secret goes into a file, the public key is printed",
  options: {},
  help: `Example:
  merostore ledger device create laptop.json

Only the owner of the file may read it. It does not leave the device. An admin needs the printed key: "ledger device
add".`,

  async run(terminal, { file }) {
    const { secret, key } = newDevice();
    createDeviceFile(file, secret);
    await terminal.line(key);
    return 0;
  },
});

/** Begins the devices of a folder. Prints the id of the first roster. */
const start = command({
  words: "start <cloud>",
  description: "begin the devices of an empty folder, with this one as its admin",
  options: { device, name, tokenFile },
  help: `Examples:
${BEGIN}
  merostore ledger sync data team --device laptop.json

The id of the first roster is printed, and goes into the file of the device.
${ABOUT_CLOUD}`,

  async run(terminal, { cloud }, options) {
    const { secret } = secretIn(options.device);
    const roster = await startDevices(storeAt(cloud, options.tokenFile), {
      secret,
      name: given(options.name, "--name NAME"),
    });
    return tell(terminal, options.device, roster);
  },
});

/** Takes a folder for the right one. */
const join = command({
  words: "join <file> <roster>",
  description: "tell this device the roster that an admin has made",
  options: {},
  help: `Examples:
${BEGIN}
  merostore ledger device create phone.json > key
  merostore ledger device add team $(cat key) --device laptop.json --name phone --role write > roster
  merostore ledger device join phone.json $(cat roster)

The device then takes a folder only if it has this roster. Afterwards the file has the newest one that the device knows.`,

  async run(_terminal, { file, roster }) {
    if (!/^[0-9a-f]{64}$/.test(roster))
      throw invalidArgument("ROSTER: give the 64 hex digits that an admin got");
    rememberRoster(file, roster);
    return 0;
  },
});

/** Prints the devices of a folder. */
const list = command({
  words: "list <cloud>",
  description: "the devices of a folder: names, roles and keys",
  options: { device, tokenFile, json },
  help: `Examples:
${BEGIN}
  merostore ledger device list team --device laptop.json
  merostore ledger device list team --device laptop.json --json | jq .name

${ABOUT_CLOUD}`,

  async run(terminal, { cloud }, { device: file, tokenFile, json: asJson }) {
    const devices = await folderDevices(storeAt(cloud, tokenFile), deviceIn(file)).list();
    if (asJson) for (const one of devices) await terminal.json(one);
    else {
      const lines = table([
        ["name", "role", "key"],
        ...devices.map(({ name, role, key }) => [name, role, key]),
      ]);
      await terminal.lines(fitted(lines, terminal.width));
    }
    return 0;
  },
});

/** Adds or changes a device. Prints the id of the new roster. */
const add = command({
  words: "add <cloud> <key>",
  description: "add a device by its public key, or change its name and role",
  options: {
    device,
    name,
    role: choice("<role>", ["admin", "write", "read"], "what the device may do"),
    tokenFile,
  },
  help: `Examples:
${BEGIN}
  merostore ledger device create phone.json > key
  merostore ledger device add team $(cat key) --device laptop.json --name phone --role write

The id of the new roster is printed: the device needs it for "ledger device join". Only an admin adds devices; an
"admin" changes devices and writes, "read" uploads nothing. The commits of a device that may
no longer write stay valid.
${ABOUT_CLOUD}`,

  async run(terminal, { cloud, key }, { device: file, name, role, tokenFile }) {
    const devices = folderDevices(storeAt(cloud, tokenFile), deviceIn(file));
    const entry = { key, name: given(name, "--name NAME"), role: given(role, "--role ROLE") };
    return tell(terminal, file, await devices.add(entry));
  },
});

/** Removes a device. Prints the id of the new roster. */
const remove = command({
  words: "remove <cloud> <name>",
  description: "remove a device: the folder gets a new key, and takes nothing more from it",
  options: { device, tokenFile },
  help: `Examples:
${BEGIN}
  merostore ledger device create phone.json > key
  merostore ledger device add team $(cat key) --device laptop.json --name phone --role write
  merostore ledger device remove team phone --device laptop.json

NAME is the name of the device or its key. What the device has read it keeps; what of it is in the folder now stays
valid. It cannot come back with this key.
${ABOUT_CLOUD}`,

  async run(terminal, { cloud, name }, { device: file, tokenFile }) {
    const roster = await folderDevices(storeAt(cloud, tokenFile), deviceIn(file)).remove(name);
    return tell(terminal, file, roster);
  },
});

/** `merostore ledger device COMMAND`. */
export const devices: CommandGroup = {
  name: "device",
  description: "the devices of a folder: each has a key of its own, and an admin adds and removes them",
  commands: [create, start, join, list, add, remove],
  help: `Examples:
${BEGIN}
  merostore ledger device list team --device laptop.json
  merostore ledger help device add    # more examples, for each command

A folder with devices has no key that is handed over: each device gets it from the folder, and signs what it writes.
Status: 0 done; 2 usage error; 3 the folder cannot be read, does not know this device, or is not changed by it.`,
};

function given<T>(value: T | undefined, option: string): T {
  if (value === undefined) throw invalidArgument(`give ${option}`);
  return value;
}
