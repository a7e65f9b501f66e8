/** `npm test -- structure`: checks the import rules. It also fails if dependency-cruiser reports fewer than 150 modules. */
import { cruise } from 'dependency-cruiser'
import { createRequire } from 'node:module'

const rules = createRequire(import.meta.url)('../.dependency-cruiser.cjs')
const { output } = await cruise(
  ['apps/server/src', 'apps/server/test', 'apps/web/src', 'packages', 'scripts', 'tools', 'e2e', 'bench', 'test'],
  {
    ruleSet: { forbidden: rules.forbidden },
    validate: true,
    ...rules.options,
  },
)
const { summary, modules } = typeof output === 'string' ? JSON.parse(output) : output
const ours = modules.filter((module) => !module.source.includes('node_modules')).length
for (const violation of summary.violations) console.error(`${violation.rule.name}: ${violation.from} → ${violation.to}`)
console.log(`${ours} modules, ${summary.totalDependenciesCruised} imports, ${summary.violations.length} violations`)
if (ours < 150) console.error('The tool saw too few modules to be believed.')
process.exit(summary.violations.length > 0 || ours < 150 ? 1 : 0)
