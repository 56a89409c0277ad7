/** Converted databases: their rows, the application's data, and the findings. Each database is converted once. */
import "./rows.js";
import "./state.js";
import "./verify.js";
