import path from 'node:path'
import type { Plugin } from 'vite'
import { roles, shared } from './src/app/page-routes.ts'

/** React, the router and their dependencies. This chunk changes least often. */
const VENDOR = ['react', 'react-dom', 'scheduler', 'wouter', 'regexparam']
const CONTRACT = path.resolve(import.meta.dirname, '../../packages/contract/src')

const source = (file: string): string => path.join(import.meta.dirname, 'src', file)
const packageOf = (id: string): string | undefined => id.split('/node_modules/')[1]?.split('/')[0]

/** Names a module as page-routes.ts does: a source path in `src`, a wire call as `contract/staking`, an icon as `icon/check`. */
function nameOf(id: string): string {
  const { dir, name } = path.parse(id)
  if (packageOf(id) !== undefined) return packageOf(id) === 'lucide-react' ? `icon/${name}` : `package/${packageOf(id)}`
  return dir === CONTRACT ? `contract/${name}` : path.relative(source('.'), id)
}

/**
 * Groups modules into few chunks, because many small files load slower. Each role gets one chunk with its imports; shared and screen
 * chunks follow page-routes.ts. A page loads almost no code of other pages.
 * @returns the plugin that records which entries need a module, and the resulting groups
 */
export function chunkPlan() {
  /** All modules that each role imports. */
  const needed = new Map<string, Set<string>>()
  const needs = (role: keyof typeof roles, id: string): boolean => needed.get(role)?.has(id) === true
  /** Runs on load, so it stays a separate file. */
  const entries = new Set([...roles.page, ...roles.signIn].map(source))

  const plugin: Plugin = {
    name: 'who-needs-what',
    apply: 'build',
    buildEnd() {
      const collect = (id: string, found: Set<string>): Set<string> => {
        if (found.has(id)) return found
        found.add(id)
        for (const next of this.getModuleInfo(id)?.importedIds ?? []) collect(next, found)
        return found
      }
      for (const [role, files] of Object.entries(roles)) {
        const found = new Set<string>()
        for (const file of files) collect(source(file), found)
        needed.set(role, found)
      }
    },
  }

  function roleOf(id: string): string | null {
    if (VENDOR.includes(packageOf(id) ?? '')) return 'vendor'
    if (entries.has(id)) return null
    const signIn = needs('signIn', id)
    // Icons are small, and parts of many pages draw them.
    const isIcon = packageOf(id) === 'lucide-react'
    if (needs('page', id) || (signIn && (needs('member', id) || needs('form', id) || isIcon))) return 'base'
    if (signIn) return 'sign-in'
    if (needs('member', id)) return needs('calls', id) ? 'data' : 'frame'
    if (!needs('list', id)) return null
    return isIcon ? 'frame' : 'list'
  }

  function shareOf(id: string): string | null {
    const name = nameOf(id)
    const starts = (start: string): boolean => name.startsWith(start)
    return Object.keys(shared).find((group) => shared[group]?.some(starts)) ?? null
  }

  return {
    plugin,
    groups: [
      { debugName: 'roles', name: roleOf, priority: 2 },
      { debugName: 'shared', name: shareOf, minShareCount: 2, priority: 1 },
    ],
  }
}
