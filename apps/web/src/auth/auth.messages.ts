import { t, texts } from '@tizara/languages'

/** Exact authentication texts, misspellings included, each with its requirement row. */
export const messages = texts({
  /** VA-01 */
  required: 'This field is required',
  /** VA-12 */
  emailFormat: 'Entered value does not match email format',
  /** VA-14, ER-15 */
  emailDomain: 'Invalid Email',
  /** VA-17, ER-14 */
  phone: 'Invalid Phone',
  /** VA-20 */
  tooShort: (length: number): string => t('Minimum length is {length}', { length }),
  /** UI-CAPTCHA-06, ST-29 */
  captchaVerified: 'Captcha verified successfully!',
  /** UI-CAPTCHA-07, VA-07, ER-16 */
  captchaFailed: 'Captcha verification failed. Please try again.',
  /** ER-02, ER-10, ER-44, ER-45, ER-46 */
  tooMany: 'Too many requests, please try again later',
  /** ER-01, ER-08, ER-51: title above the server's message. */
  errorTitle: 'Error',
  /** UI-SIGNIN-08 */
  signInIntro: 'Log in to access your personalised dashboard, track your progress and see the latest resources.',
  /** UI-SIGNIN-04 */
  forgetPassword: 'Forget password',
  /** UI-SIGNIN-05 */
  noAccount: "Don't have any account?",
  /** ST-03 */
  notVerified: 'You are not verified Please varfied email',
  /** ST-05 */
  loginDone: 'Login successfull',
  /** UI-SIGNUP-03 */
  namePlaceholder: 'Enter your full name',
  /** UI-SIGNUP-12 */
  haveAccount: 'Already have an account?',
  /** ST-27 */
  signUpTitle: 'Thank you',
  /** ST-27 */
  signUpText: 'Please Check Your Mail & Confirm Your Registration',
  /** ER-09 */
  signUpOddAnswer: 'Something wrong',
  /** ER-41 */
  resetMailSent: 'Password reset email sent successfully',
  /** ER-42 */
  forgotFailed: 'An error occurred',
  /** ER-43 */
  noAnswer: 'No response from the server. Please try again later.',
  /** VA-77 */
  passwordMismatch: 'Password did not match',
  /** ER-47 */
  recovered: 'Account recovered',
  /** ER-49 */
  otpVerified: 'User Verified',
  /** ER-50 */
  otpSent: 'Otp Send',
  /** UI-VERIFY-04, ST-74 */
  linkVerified: 'Register successfull',
  /** ER-52 */
  linkExpired: 'Your verification link has been expired, please submit again',
  /** ER-53 */
  linkFailed: 'An error occurred. Please try again.',
})

/** A dialog's auto-close delay, in ms (ST-08). */
export const DIALOG_MS = 3000
