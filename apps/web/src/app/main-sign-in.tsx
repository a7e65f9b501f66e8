import SignInScreen from '../auth/sign-in.screen.tsx'
import { keepScreen } from './screens.tsx'
import { start } from './start.tsx'

// The page that comes drawn (index.html): its screen is part of the first load.
keepScreen('/', SignInScreen)
keepScreen('/auth/signin', SignInScreen)
start()
