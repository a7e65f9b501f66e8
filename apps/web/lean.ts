import path from 'node:path'
import { parseSync, type Plugin, Visitor } from 'vite'

/** Build plugins that shrink the bundle, each with its reason. None changes the sources. */
const inThisFolder = (file: string): string => path.join(import.meta.dirname, file)
const CONTRACT = path.resolve(import.meta.dirname, '../../packages/contract/src')

/** Replaces lucide-react's factory with a few lines of our code. Only that factory uses names, sizes and keys. */
export function lightIcons(): Plugin {
  return {
    name: 'light-icons',
    enforce: 'pre',
    resolveId(source, importer) {
      return source === '../createLucideIcon.mjs' && importer?.includes('lucide-react') === true
        ? inThisFolder('src/lib/light-icon.ts')
        : null
    },
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\// },
      handler: (code) => code.replaceAll(/(,\s*)?key: "[^"]*"|^  (?:name: "[^"]*"|size: \d+),$|^__iconData\.node;$/gm, ''),
    },
  }
}

/** Removes the query library's mutations and infinite lists. The app does not use them. */
export function lightQueries(): Plugin {
  const unused = ['./mutationCache.js', './infiniteQueryBehavior.js']
  return {
    name: 'light-queries',
    enforce: 'pre',
    resolveId(source, importer) {
      return unused.includes(source) && importer?.includes('@tanstack/query-core') === true
        ? inThisFolder('src/lib/http/light-query.ts')
        : null
    },
  }
}

/** Turns dynamic imports into plain ones. Pages name their later files themselves, and there is one stylesheet. */
export function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : null),
  }
}

/** Removes a route's summary and documented errors. Only the API page reads them. */
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
