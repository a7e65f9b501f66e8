import { start } from './start.tsx'

// Every page but the sign-in page (spa.html).
start()
