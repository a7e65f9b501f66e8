/**
 * Checks how much code pages load before they show, and that no two files need each other, from the build's list of
 * files. Bytes do not vary between runs, so the limits are exact: `node apps/web/scripts/budgets.mjs`.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { memberPlaces, notFound, publicPlaces } from '../src/app/places.ts'

/** kB (1000 bytes) of gzip; 58 of each are React and the router (docs/decisions/0020-react-version.md). */
const SIGN_IN_LIMIT = 73.2
const MEMBER_LIMIT = 125
/** The console of staff: its frame with the first view, and each view. */
const STAFF_LIMIT = 100
const STAFF_VIEW_LIMIT = 40
/** Files of code before the first render. */
const SIGN_IN_FILES = 5
const MEMBER_FILES = 14
const STAFF_FILES = 12
/** What the console shows first. */
const FIRST_STAFF_VIEW = 'src/console/pages/overview/overview.view.tsx'

/** Name of the file with what every member page loads besides its screen (vite.config.ts). */
export const FRAME = 'frame'

/** The manifest's key of a place's screen. */
export const screenKey = (screen) => `src/${screen}.screen.tsx`

/** The files that a module needs, itself included, without those it only fetches later. */
export function filesOf(manifest, key, found = new Set()) {
  const entry = manifest[key]
  if (entry === undefined || found.has(entry.file)) return found
  found.add(entry.file)
  for (const dependency of entry.imports ?? []) filesOf(manifest, dependency, found)
  return found
}

/**
 * Finds files that need each other: which of them runs first then hangs on which arrives first, and the page sometimes
 * does not start.
 * @returns a file of each such circle
 */
export function circlesOf(manifest) {
  const keys = Object.keys(manifest)
  return keys
    .filter((key) => (manifest[key].imports ?? []).some((next) => next !== key && filesOf(manifest, next).has(manifest[key].file)))
    .map((key) => manifest[key].file)
}

/** Finds the list's key of a file that the build has put together. */
export function keyOf(manifest, name) {
  const found = Object.keys(manifest).find((key) => manifest[key].name === name)
  if (found === undefined) throw new Error(`the build has no file ${name}`)
  return found
}

/**
 * Measures every place against its limit.
 * @returns a line for each place, and what is over its limit
 */
export function checkBudgets(dist) {
  const manifest = JSON.parse(readFileSync(path.join(dist, 'manifest.json'), 'utf8'))
  const size = (files) =>
    [...files].reduce((sum, file) => sum + gzipSync(readFileSync(path.join(dist, file)), { level: 9 }).length, 0) / 1000
  const start = filesOf(manifest, 'index.html')
  if (start.size === 0) throw new Error('the manifest does not know index.html')
  const lines = []
  const faults = circlesOf(manifest).map((file) => `${file} needs a file that needs it`)
  const check = (name, files, limit, filesLimit) => {
    const kb = size(files)
    lines.push(`${name} ${kb.toFixed(1)} kB gz${limit === undefined ? '' : ` of ${limit}`}, ${files.size} files`)
    if (kb > (limit ?? Infinity)) faults.push(`${name} loads ${kb.toFixed(1)} kB gz, limit ${limit}`)
    if (files.size > filesLimit) faults.push(`${name} loads ${files.size} files, limit ${filesLimit}`)
  }
  check('sign-in', start, SIGN_IN_LIMIT, SIGN_IN_FILES)
  const base = filesOf(manifest, 'spa.html')
  const frame = new Set([...base, ...filesOf(manifest, keyOf(manifest, FRAME))])
  const checkScreens = (places, there, limit) => {
    for (const screen of new Set(places.map((place) => place.screen)))
      check(screen, new Set([...there, ...filesOf(manifest, screenKey(screen))]), limit, MEMBER_FILES)
  }
  checkScreens([...publicPlaces, notFound], base, undefined)
  checkScreens(memberPlaces, frame, MEMBER_LIMIT)
  checkStaff(dist, check, faults)
  return { lines, faults }
}

/** The console has a list of its own; nothing of it may stand in the members'. */
function checkStaff(dist, check, faults) {
  const manifest = JSON.parse(readFileSync(path.join(dist, 'staff-manifest.json'), 'utf8'))
  const frame = filesOf(manifest, 'staff.html')
  const views = Object.keys(manifest).filter((key) => key.endsWith('.view.tsx'))
  if (frame.size === 0 || views.length === 0) throw new Error('the console of staff was not built')
  for (const view of views) {
    const files = filesOf(manifest, view)
    const further = new Set([...files].filter((file) => !frame.has(file)))
    check(`${view}, with the frame`, new Set([...frame, ...files]), view === FIRST_STAFF_VIEW ? STAFF_LIMIT : undefined, STAFF_FILES)
    check(view, further, STAFF_VIEW_LIMIT, STAFF_FILES)
  }
  faults.push(...circlesOf(manifest).map((file) => `${file} needs a file that needs it`))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const dist = path.resolve(import.meta.dirname, '..', 'dist')
  if (!existsSync(path.join(dist, 'manifest.json'))) throw new Error('build the web app first')
  const { lines, faults } = checkBudgets(dist)
  console.log(lines.join('\n'))
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
