import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { findNeeds, groups } from './chunks.ts'

const root = import.meta.dirname
const server = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`
const page = (file: string): string => path.join(root, file)

/** Icons are drawn by our own few lines instead of lucide-react's factory. */
function lightIcons(): Plugin {
  return {
    name: 'light-icons',
    enforce: 'pre',
    resolveId(source, importer) {
      return source === '../createLucideIcon.mjs' && importer?.includes('lucide-react') === true ? page('src/lib/light-icon.ts') : null
    },
  }
}

/** What a route says to the API page, its sentence and its refusals, is nothing that a browser asks for. */
function leanRoutes(): Plugin {
  return {
    name: 'lean-routes',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /packages\/contract\/src\/[\w-]+\.ts$/ },
      handler: (code) => code.replace(/^ {2}summary:\s*(['"]).*\1,\n/gm, '').replace(/^ {2}errors: \[[^\]]*\],\n/gm, ''),
    },
  }
}

/** Puts the script that runs before the first paint into the pages that have a place for it. */
function beforePaint(): Plugin {
  return {
    name: 'before-paint',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('<!-- before paint -->', () => `<script>\n${readFileSync(page('before-paint.js'), 'utf8')}</script>`),
    },
  }
}

export default defineConfig({
  root,
  plugins: [beforePaint(), react(), tailwindcss(), lightIcons(), leanRoutes(), findNeeds()],
  ssr: { noExternal: ['lucide-react'] },
  // The router brings a copy of what React has had since 18.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  server: { proxy: { '/api': server, '/invoice-api': server, '/sandbox': server } },
  build: {
    outDir: page('dist'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    cssCodeSplit: false,
    // The browsers that know Web Locks and popover know modulepreload.
    // What a page fetches later it names itself (the member's frame: index.html), so the entry carries no table of files.
    modulePreload: { polyfill: false, resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []) },
    rolldownOptions: {
      input: ['index.html', 'spa.html', 'staff.html'].map(page).filter((file) => existsSync(file)),
      output: { codeSplitting: { includeDependenciesRecursively: false, groups } },
    },
  },
})
