import { defineConfig } from 'vitest/config'

const server = (name: string) => ({
  test: {
    name,
    include: ['apps/server/**/*.test.ts'],
    globalSetup: ['apps/server/test/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks' as const,
  },
})

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { name: 'packages', include: ['packages/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'], testTimeout: 30_000 } },
      server('server'),
      server('server-embedded'),
      { test: { name: 'web-unit', root: 'apps/web', include: ['src/**/*.test.ts'], testTimeout: 30_000 } },
      'apps/web',
    ],
  },
})
