import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.LODESTONE_SERVER ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2022",
    // light-dark() must reach the browser as written: the theme switch sets color-scheme alone
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    sourcemap: false,
    // data: addresses are not allowed for scripts and fonts by the server's policy
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  server: {
    proxy: {
      "/api": server,
      "/s/": server,
      "/healthz": server,
    },
  },
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
  },
});
