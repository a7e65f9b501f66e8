import { readFileSync } from 'node:fs'
import path from 'node:path'
import { longSearch } from './search.ts'

/** Selected tests: `short` for `npm test`, `added` for the additions in `--all`, `all` for both. */
export type Extent = 'short' | 'added' | 'all'

/** Reads `TEST_EXTENT`; defaults to `short`. */
export function readExtent(value = process.env['TEST_EXTENT']): Extent {
  if (value === undefined || value === '' || value === 'short') return 'short'
  if (value === 'added' || value === 'all') return value
  throw new Error(`TEST_EXTENT is ${value}: short, added or all`)
}

/** A project's test files, relative to the repository root. */
export interface ProjectFiles {
  files: readonly string[]
  /** Patterns for files that only `--all` runs. */
  extended: readonly string[]
}

/**
 * Selects a project's test files. `added` also includes files with a random search, which run longer there.
 * @param hasSearch returns true if a file has a search
 */
export function selectFiles(
  { files, extended }: ProjectFiles,
  extent: Extent,
  hasSearch: (file: string) => boolean = searchesAgain,
): string[] {
  const isExtended = (file: string) => extended.some((pattern) => path.matchesGlob(file, pattern))
  if (extent === 'all') return [...files]
  if (extent === 'short') return files.filter((file) => !isExtended(file))
  return files.filter((file) => isExtended(file) || hasSearch(file))
}

const ROOT = path.join(import.meta.dirname, '..')
/** Returns true if a file has a random search. */
export const importsSearch = (file: string) => /from '[./]+test\/search\.ts'/.test(readFileSync(path.join(ROOT, file), 'utf8'))
/** Repeats searches only if they run longer than in the short run. */
const searchesAgain = (file: string) => longSearch && importsSearch(file)
