/** The cause of the error for a list that is too long to be decoded; Rust decodes it. */
export const TOO_MANY = new Error("more than merostore decodes");
