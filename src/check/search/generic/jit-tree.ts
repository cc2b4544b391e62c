/**
 * Just-in-time tree search for a linearization.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4.
 *
 * Operations take effect as late as possible: when one has to return, it is tried alone
 * first, and then after each other open operation, and so on. Nothing is remembered.
 *
 * This is the tree of Wing & Gong, in another order. At a return whose operation has not
 * taken effect, the others that may go before it are those called by then: the same
 * operations that Wing & Gong try while this return is the first one left. What the paper
 * leaves out are different times for one sequence, and Wing & Gong have no times. So both
 * try the same sequences, and where there is no order they take the same number of steps.
 * Which is quicker to find one depends on the history.
 *
 * The published code does not catch a violated precondition when it lets an operation take
 * effect and return at once. Here a step that the spec does not allow is just no step.
 */
import { DepthFirst } from './depth-first.js';

export class JitTree extends DepthFirst {
  readonly name = 'just-in-time tree search';
  protected readonly mustFirst = true;
}
