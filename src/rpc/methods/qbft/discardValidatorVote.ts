import { discardValidatorVote } from '../../validators/discardValidatorVote.ts'

export const qbft_discardValidatorVote = discardValidatorVote('qbft')
