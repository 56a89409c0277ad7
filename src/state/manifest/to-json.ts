/** Manifests back to JSON, in the form that emitters write. */
import { toHex } from "../../bytes/hex.js";
import { checkArgument } from "../../options.js";
import {
  type Field,
  isManifest,
  type Manifest,
  type TypeDefinition,
  type TypeReference,
} from "./manifest.js";

/** The JSON of a manifest: {@link parseManifest} reads an equal one from it. */
export function manifestToJson(manifest: Manifest): object {
  checkArgument("manifestToJson", manifest, isManifest);
  const { schemaVersion, types, methods, events, stateRoot, stateVersion, migrations, privateStructs } =
    manifest;
  return {
    schema_version: schemaVersion,
    types: Object.fromEntries([...types].map(([name, type]) => [name, definitionToJson(type)])),
    methods: methods.map(({ name, params, returns, returnsNullable, errors, ...rest }) => ({
      name,
      params: params.map(fieldToJson),
      ...(returns && { returns: typeToJson(returns) }),
      ...(returnsNullable && { returns_nullable: true }),
      ...(errors.length > 0 && {
        errors: errors.map(({ code, payload }) => ({ code, ...payloadOf(payload) })),
      }),
      ...(rest.intent !== undefined && { intent: rest.intent }),
      ...(rest.xcallCallable !== undefined && { xcall_callable: rest.xcallCallable }),
      ...(rest.xcallCallers !== undefined && { xcall_callers: rest.xcallCallers }),
    })),
    events: events.map(({ name, payload }) => ({ name, ...payloadOf(payload) })),
    ...(stateRoot !== undefined && { state_root: stateRoot }),
    state_version: stateVersion,
    ...(migrations.length > 0 && { migrations }),
    ...(privateStructs !== undefined &&
      privateStructs.length > 0 && {
        private: privateStructs.map(({ type, key }) => ({ type, ...(key && { key: toHex(key) }) })),
      }),
  };
}

function definitionToJson(type: TypeDefinition): object {
  switch (type.kind) {
    case "record":
      return { kind: "record", fields: type.fields.map(fieldToJson) };
    case "variant":
      return {
        kind: "variant",
        variants: type.variants.map(({ name, code, payload }) => ({
          name,
          ...(code !== undefined && { code }),
          ...payloadOf(payload),
        })),
      };
    case "alias":
      return { kind: "alias", target: typeToJson(type.target) };
    default:
      return typeToJson(type);
  }
}

function typeToJson(type: TypeReference): object {
  switch (type.kind) {
    case "reference":
      return { $ref: type.name };
    case "bytes":
      return {
        kind: "bytes",
        ...(type.size !== undefined && { size: type.size }),
        ...(type.encoding !== undefined && { encoding: type.encoding }),
      };
    case "list":
      return { kind: "list", items: typeToJson(type.items), ...crdtOf(type) };
    case "map":
      return { kind: "map", key: typeToJson(type.key), value: typeToJson(type.value), ...crdtOf(type) };
    case "record":
      return {
        kind: "record",
        fields: type.fields.map(fieldToJson),
        ...crdtOf(type),
        ...(type.innerType && { inner_type: typeToJson(type.innerType) }),
      };
    case "tuple":
      return { kind: "tuple", elements: type.elements.map(typeToJson) };
    default:
      return { kind: type.kind };
  }
}

function fieldToJson({ name, type, nullable }: Field): object {
  return { name, type: typeToJson(type), ...(nullable && { nullable }) };
}

function payloadOf(payload: TypeReference | undefined): object {
  return payload === undefined ? {} : { payload: typeToJson(payload) };
}

function crdtOf({ crdtType }: { readonly crdtType: string | undefined }): object {
  return crdtType === undefined ? {} : { crdt_type: crdtType };
}
