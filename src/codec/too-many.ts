/** Ends the text about a list that is too long to be decoded; Rust decodes it. */
export const TOO_MANY = "more than merostore decodes";
