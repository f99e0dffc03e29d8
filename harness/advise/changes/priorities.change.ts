import type { ChangeKind } from "../change.ts";

export const change: ChangeKind = {
  name: "priorities",
  title: "responses in the order of their priorities, over HTTP/3",
  changesOf: ({ now }) =>
    now.priorities === "honoured"
      ? []
      : [
          {
            name: "priorities-honoured",
            title: "let the server send urgent responses first",
            values: { priorities: "honoured" },
          },
        ],
};
