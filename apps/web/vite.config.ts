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
  // The router brings a copy of what React has had since 18.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
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
      input: ['index.html', 'spa.html', 'staff.html'].map(page).filter((file) => existsSync(file)),
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|wouter|regexparam|use-sync-external-store)[\\/]/, priority: 9 },
            { name: 'query', test: /node_modules[\\/]@tanstack[\\/]/, priority: 8 },
            { name: 'start', tags: ['$initial'], entriesAware: true, priority: 7 },
            { name: 'data', test: /node_modules[\\/]valibot|packages[\\/]money|packages[\\/]contract[\\/]src[\\/](errors|fields|limits|paging|route)\.ts/, priority: 6 },
            { name: 'shared', test: /src[\\/](ui|lib|members)[\\/]|lucide-react/, minShareCount: 3, priority: 5 },
          ],
        },
      },
    },
  },
})
