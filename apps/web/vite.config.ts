import { existsSync } from 'node:fs'
import path from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const root = import.meta.dirname
const server = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`
const page = (file: string): string => path.join(root, file)

/** What an entry imports, directly or not, without what it fetches later; filled while building. */
const needs = { everyPage: new Set<string>(), signIn: new Set<string>(), member: new Set<string>() }

function findNeeds(): Plugin {
  return {
    name: 'find-needs',
    apply: 'build',
    buildEnd() {
      const collect = (id: string, found: Set<string>): void => {
        if (found.has(id)) return
        found.add(id)
        for (const next of this.getModuleInfo(id)?.importedIds ?? []) collect(next, found)
      }
      const entries = ['app/main.tsx', 'app/main-sign-in.tsx', 'app/member-layout.tsx', 'app/session-gate.tsx'].map((file) =>
        page(`src/${file}`),
      )
      const [main = '', signIn = '', layout = '', gate = ''] = entries
      collect(main, needs.everyPage)
      collect(signIn, needs.signIn)
      collect(layout, needs.member)
      collect(gate, needs.member)
      // What runs when it is loaded, or is fetched by name, stays a file of its own.
      for (const found of Object.values(needs)) for (const entry of entries) found.delete(entry)
    },
  }
}

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

/**
 * Few chunks, because many small ones are slower: React and router, what every page runs on, what the
 * sign-in page adds, forms, what calls are read with, a member's frame with server state, lists; then each screen's own. A chunk holds only
 * what all its users need, so that no page loads another's code.
 */
const inWeb = (pattern: string): RegExp => new RegExp(`apps/web/src/(${pattern})\\.tsx?$`)
const groups = [
  { name: 'vendor', test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam)\//, priority: 20 },
  { name: 'base', test: (id: string) => needs.everyPage.has(id) || (needs.signIn.has(id) && needs.member.has(id)), priority: 18 },
  {
    name: 'field',
    test: (id: string) => inWeb('ui/(field|field-context|input)').test(id) || (needs.signIn.has(id) && id.includes('lucide-react')),
    priority: 17,
  },
  { name: 'form', test: inWeb('ui/(use-form|password-input)'), priority: 17 },
  { name: 'sign-in', test: (id: string) => needs.signIn.has(id), priority: 16 },
  {
    name: 'data',
    test: (id: string) =>
      /node_modules\/valibot\/|packages\/money\/|packages\/contract\/src\/(index|errors|fields|limits|paging|route|session)\.ts/.test(id) ||
      inWeb('lib/(api|api-error|http|read-reply|session-calls|wire-json)').test(id),
    priority: 15,
  },
  {
    name: 'frame',
    test: (id: string) =>
      needs.member.has(id) ||
      /node_modules\/@tanstack\/|packages\/contract\/src\/(wallets|settings)\.ts/.test(id) ||
      inWeb('wallets/(wallet\\.queries|wallet-names|settings\\.queries)').test(id),
    priority: 14,
  },
  {
    name: 'list',
    test: inWeb(
      'lib/(paged-list|list-source|use-list-address|export-button|receipt-drawer|receipt-skeleton)|ui/(data-table|pager|date-range).*',
    ),
    priority: 13,
  },
  {
    name: 'ui',
    test: inWeb(
      'lib/(format|moment|list-columns|receipt-link|use-search-param)|ui/(card|money|money-format|page-header|notice|skeleton|address|description-list|empty-state|art/empty-art)',
    ),
    priority: 12,
  },
  { name: 'icons', test: /lucide-react/, minShareCount: 2, priority: 11 },
]

export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), lightIcons(), leanRoutes(), findNeeds()],
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
