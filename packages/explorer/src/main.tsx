/** The explorer: a node's database in a browser. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/parts.css";
import "./styles/panels.css";
import "./styles/data.css";
import "./styles/pictures.css";
import "./styles/floats.css";
import "./styles/narrow.css";
import "./styles/views.css";
import "./styles/page.css";
import { render } from "preact";
import { workInBackground } from "./page/background.js";
import { App } from "./shell/app.js";

const root = document.getElementById("app");
if (root) render(<App />, root);
workInBackground();
