import { show } from "./show.js";
fetch("data.json").then((response) => response.json()).then(show);
addEventListener("load", () => navigator.serviceWorker.register("worker.js"));
