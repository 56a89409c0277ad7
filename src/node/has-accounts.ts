/** Returns whether members of a schema are accounts, which have devices; before core-0.11 they are public keys. */
export function hasAccounts({ rows }: { readonly rows: readonly { readonly kind: string }[] }): boolean {
  return rows.some(({ kind }) => kind === "GroupDeviceBinding");
}
