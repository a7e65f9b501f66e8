import path from 'node:path'
import { parseSync, type Plugin, Visitor } from 'vite'

/** What the browser is spared, each with its reason. All leave the sources as they are. */
const here = (file: string): string => path.join(import.meta.dirname, file)
const CONTRACT = path.resolve(import.meta.dirname, '../../packages/contract/src')

/** Icons are drawn by our own few lines instead of lucide-react's factory, which alone asks for names, sizes and keys. */
export function lightIcons(): Plugin {
  return {
    name: 'light-icons',
    enforce: 'pre',
    resolveId(source, importer) {
      return source === '../createLucideIcon.mjs' && importer?.includes('lucide-react') === true ? here('src/lib/light-icon.ts') : null
    },
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\// },
      handler: (code) => code.replaceAll(/(,\s*)?key: "[^"]*"|^  (?:name: "[^"]*"|size: \d+),$|^__iconData\.node;$/gm, ''),
    },
  }
}

/** The parts of the query library that nobody here uses, mutations and endless lists, which it brings along whole. */
export function lightQueries(): Plugin {
  const unused = ['./mutationCache.js', './infiniteQueryBehavior.js']
  return {
    name: 'light-queries',
    enforce: 'pre',
    resolveId(source, importer) {
      return unused.includes(source) && importer?.includes('@tanstack/query-core') === true ? here('src/lib/light-query.ts') : null
    },
  }
}

/** A page names the files that it fetches later itself, and there is one stylesheet: an import is just an import. */
export function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null),
  }
}

/** What a route says to the API page only, its sentence and its refusals for two, is nothing that a browser asks for. */
export function leanRoutes(): Plugin {
  const forTheApiPage = ['summary', 'errors', 'media']
  return {
    name: 'lean-routes',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { code: 'route(' },
      handler(code, id) {
        if (path.dirname(id) !== CONTRACT) return null
        const cuts: [number, number][] = []
        new Visitor({
          CallExpression({ callee, arguments: [definition] }) {
            if (callee.type !== 'Identifier' || callee.name !== 'route' || definition?.type !== 'ObjectExpression') return
            const { properties } = definition
            for (const [index, one] of properties.entries())
              if (one.type === 'Property' && one.key.type === 'Identifier' && forTheApiPage.includes(one.key.name))
                cuts.push([one.start, properties[index + 1]?.start ?? definition.end - 1])
          },
        }).visit(parseSync('contract.ts', code).program)
        return cuts.toSorted(([one], [other]) => other - one).reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), code)
      },
    },
  }
}
