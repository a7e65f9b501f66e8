import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunkPlan } from './chunks.ts'
import { leanRoutes, lightIcons, lightQueries, plainImports } from './lean.ts'

const root = import.meta.dirname
const server = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`
const page = (file: string): string => path.join(root, file)

/** Inlines the pre-paint script, without comments, into pages with a slot for it. */
function beforePaint(): Plugin {
  return {
    name: 'before-paint',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replace(
          '<!-- before paint -->',
          () => `<script>\n${readFileSync(page('before-paint.js'), 'utf8').replace(/^\s*\/\/.*\n/gm, '')}</script>`,
        ),
    },
  }
}

const plan = chunkPlan()

export default defineConfig({
  root,
  plugins: [beforePaint(), react(), tailwindcss(), lightIcons(), lightQueries(), plainImports(), leanRoutes(), plan.plugin],
  ssr: { noExternal: ['lucide-react'] },
  // The router bundles a shim of an API that React has had since 18.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  server: { proxy: { '/api': server, '/invoice-api': server, '/sandbox': server } },
  build: {
    outDir: page('dist'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    cssCodeSplit: false,
    // Browsers with Web Locks and popover support modulepreload. Pages name their later files themselves (the member's frame:
    // index.html), so the entry needs no file table.
    modulePreload: { polyfill: false, resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []) },
    rolldownOptions: {
      input: ['index.html', 'spa.html'].map(page).filter((file) => existsSync(file)),
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: plan.groups } },
    },
  },
})
