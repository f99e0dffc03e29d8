export const show = ({ names }) => { document.querySelector("#app").textContent = names.join(", "); };
