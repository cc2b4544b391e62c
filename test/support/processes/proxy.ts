/** A TCP proxy to a server. A test can close its connections and refuse new ones for some time. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export class TcpProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  /** The number of connections refused while the proxy was cut. */
  refused = 0;
  /** The number of connections made, refused ones included. */
  connections = 0;
  /** Bytes that the server has answered, on all connections. */
  answered = 0;
  /** What happens to later answers, and to new connections. */
  #limit: { readonly bytes: number; readonly then: 'cut' | 'silent' } | undefined;

  static async to(port: number): Promise<TcpProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, port);
  }

  private constructor(server: Server, to: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => {
      this.connections++;
      if (this.#isCut) {
        this.refused++;
        near.destroy();
        return;
      }
      const far = connect(to, '127.0.0.1');
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ]) {
        this.#sockets.add(socket);
        socket
          .on('error', () => {})
          .on('close', () => {
            this.#sockets.delete(socket);
            other.destroy();
          });
      }
      near.pipe(far);
      far.on('data', (piece) => {
        this.answered += piece.length;
        const { bytes, then } = this.#limit ?? { bytes: Number.POSITIVE_INFINITY };
        if (this.answered <= bytes) near.write(piece);
        else if (then === 'cut') this.cut();
      });
    });
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Destroys all connections without notice, and refuses new ones. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** From the answer that exceeds this number of bytes on, cuts all connections or says nothing more. */
  failAfter(bytes: number, then: 'cut' | 'silent'): void {
    this.#limit = { bytes, then };
  }

  restore(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
