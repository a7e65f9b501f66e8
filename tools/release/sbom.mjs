/** Lists the parts of a release as CycloneDX, without a time or random number, so that equal sources give equal lists. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The product's own packages in npm's list, such as `tizara@1.0.0` and `@tizara/web@1.0.0`. They are left out. */
const OWN = /^(tizara|@tizara\/.+)@/

/**
 * Returns the packages of a folder with their dependencies, from `npm sbom`.
 * @param {string} folder
 * @param {string[]} flags
 */
function packagesOf(folder, flags) {
  const output = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', ...flags], { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 })
  const { components, dependencies } = JSON.parse(output)
  return {
    parts: new Map(components.map((component) => [component['bom-ref'], component])),
    links: new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn])),
  }
}

/**
 * Returns the packages that the web app bundles. Follows the dependencies, because `npm sbom --omit=dev` leaves out packages that a
 * development package also needs.
 * @param {string} root
 */
function bundledPackages(root) {
  const { parts, links } = packagesOf(root, ['--package-lock-only', '--workspace=@tizara/web'])
  const { dependencies } = JSON.parse(readFileSync(path.join(root, 'apps/web/package.json'), 'utf8'))
  const reached = new Set()
  const open = Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (reached.has(ref)) continue
    reached.add(ref)
    open.push(...(links.get(ref) ?? []))
  }
  const missing = [...reached].filter((ref) => !parts.has(ref))
  if (missing.length > 0) throw new Error(`npm does not list ${missing.join(', ')}`)
  return { parts: new Map([...parts].filter(([ref]) => reached.has(ref))), links }
}

/**
 * Merges the installed packages of a release, those bundled into the web app, and Node.
 * @param {{ root: string, folder: string, name: string, version: string, node: string }} release `root` is the source and `folder` the
 * release with its installed packages; `node` is the version of Node
 * @returns {object} a CycloneDX 1.5 document
 */
export function billOfMaterials({ root, folder, name, version, node }) {
  const lists = [packagesOf(folder, ['--omit=dev']), bundledPackages(root)]
  const parts = new Map(lists.flatMap((list) => [...list.parts]))
  const refs = [...parts.keys()].filter((ref) => !OWN.test(ref) && parts.get(ref).purl !== undefined).toSorted()
  const listed = new Set(refs)
  const dependenciesOf = (ref) => [...new Set(lists.flatMap(({ links }) => links.get(ref) ?? []))].filter((one) => listed.has(one))
  const runtime = { 'bom-ref': `node@${node}`, type: 'platform', name: 'node', version: node, purl: `pkg:generic/node@${node}` }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { 'bom-ref': name, type: 'application', name: 'tizara', version } },
    components: [runtime, ...refs.map((ref) => parts.get(ref))],
    dependencies: [
      { ref: name, dependsOn: [runtime['bom-ref'], ...refs] },
      ...refs.map((ref) => ({ ref, dependsOn: dependenciesOf(ref).toSorted() })),
    ],
  }
}
