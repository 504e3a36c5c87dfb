// What most people never see: one chunk.
export { RequiredFactorScreen } from '../../settings/account/second-factor/required-factor-screen.tsx';
export { NotFoundScreen } from '../not-found-screen.tsx';
