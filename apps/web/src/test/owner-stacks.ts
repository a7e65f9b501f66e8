import * as React from 'react'

/** Internals of React, where it counts the stack traces that it has taken. */
const internals = (React as unknown as Record<string, object | undefined>)[
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
]
if (internals === undefined || !('recentlyCreatedOwnerStacks' in internals)) throw new Error('React counts its stack traces elsewhere')
// The development build takes a stack trace for each new element, up to 10,000 a second, to lengthen its warnings. A count above this
// limit turns them off, which saves a tenth of the processor time of screen tests.
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Number.POSITIVE_INFINITY, set: () => {} })
