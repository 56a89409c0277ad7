/** The programs of fixtures/rust, if they are built. */
import { join } from "node:path";

/** Their folder. `npm run bench` runs in the package's folder. */
export const RUST_PROGRAMS = join(process.env.CARGO_TARGET_DIR ?? "fixtures/rust/target", "release");
