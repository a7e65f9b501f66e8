import SignInScreen from '../auth/sign-in.screen.tsx'
import { loadLanguage } from '../lib/language.ts'
import PublicLayout from './frame/public-layout.tsx'
import { createScreens } from './screens.tsx'
import { start } from './start.tsx'

// Prerendered page (index.html); its screen is part of the first load.
const screens = createScreens({ layout: PublicLayout, signIn: SignInScreen })
// English starts at once, because its texts are part of the code.
if (globalThis.languageAhead === undefined) start(screens)
else void loadLanguage().then(() => start(screens))
