import { existsSync } from 'node:fs'
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = import.meta.dirname
const page = (file: string): string => path.join(root, file)

/** Few chunks: what every page runs on, what most member pages share, and each screen's own (frontend-stack: many small ones are slower). */
export default defineConfig({
  root,
  plugins: [react(), tailwindcss()],
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/invoice-api': 'http://127.0.0.1:3000' } },
  build: {
    outDir: page('dist'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    cssCodeSplit: false,
    // The browsers that know Web Locks and popover know modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [page('index.html'), ...(existsSync(page('staff.html')) ? [page('staff.html')] : [])],
      output: {
        codeSplitting: {
          groups: [{ name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|wouter|regexparam|@tanstack|valibot)[\\/]/, priority: 10 }],
        },
      },
    },
  },
})
