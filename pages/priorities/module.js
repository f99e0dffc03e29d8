import "./module-imported.js";
