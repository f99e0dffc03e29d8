fetch("data-by-script.json");
