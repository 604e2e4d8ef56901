import { proposeValidatorVote } from '../shared/proposeValidatorVote.ts'

export const qbft_proposeValidatorVote = proposeValidatorVote('qbft')
