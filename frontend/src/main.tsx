import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/components.css";
import "./ui/shell.css";

import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app";
import { queryClient } from "./queries/client";
import { startPagesAtTheirTop } from "./ui/scroll-position";
import { applyTheme } from "./ui/theme";

applyTheme();
startPagesAtTheirTop();
const root = document.getElementById("root");
if (!root) throw new Error("the document has no root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
