import SignInScreen from '../auth/sign-in.screen.tsx'
import PublicLayout from './public-layout.tsx'
import { createScreens } from './screens.tsx'
import { start } from './start.tsx'

// Prerendered page (index.html); its screen is part of the first load.
start(createScreens({ layout: PublicLayout, signIn: SignInScreen }))
