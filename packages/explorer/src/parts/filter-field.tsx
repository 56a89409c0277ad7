/** A field that filters a list while it is typed. */
export function FilterField({
  label,
  placeholder,
  value,
  onChange,
}: {
  /** The name of the field, for people who hear the page. */
  label: string;
  placeholder: string;
  value: string;
  onChange: (text: string) => void;
}) {
  return (
    <label class="field">
      <input
        type="text"
        placeholder={placeholder}
        aria-label={label}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
