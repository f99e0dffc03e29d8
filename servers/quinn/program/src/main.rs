//! A static file server over HTTP/3, with quinn. Argument: the configuration file that server.ts writes, or --version.

mod options;
mod pages;
mod quic;

use std::{error::Error, net::Ipv4Addr, sync::Arc};

use bytes::Bytes;
use h3::server::RequestResolver;
use quinn::{Endpoint, Incoming};

use options::Options;
use pages::Pages;

type Failure = Box<dyn Error + Send + Sync>;

/// Uses one thread, so that on the virtual clock nothing depends on the scheduling of threads.
fn main() -> Result<(), Box<dyn Error>> {
    let argument = std::env::args().nth(1).ok_or("an argument is missing: the configuration's file, or --version")?;
    if argument == "--version" {
        println!("quinn {} made from {}", env!("CARGO_PKG_VERSION"), option_env!("MADE_FROM").unwrap_or("an unknown source"));
        return Ok(());
    }
    let options: Options = serde_json::from_slice(&std::fs::read(argument)?)?;
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(serve(options))
}

async fn serve(options: Options) -> Result<(), Box<dyn Error>> {
    let endpoint = Endpoint::server(quic::configuration(&options)?, (Ipv4Addr::UNSPECIFIED, options.port).into())?;
    let pages = Arc::new(Pages::open(options)?);
    while let Some(incoming) = endpoint.accept().await {
        let pages = pages.clone();
        tokio::spawn(async move {
            // This is not an error of the server: clients may end their connections.
            if let Err(error) = connection(incoming, pages).await {
                eprintln!("connection ended: {error}");
            }
        });
    }
    Ok(())
}

async fn connection(incoming: Incoming, pages: Arc<Pages>) -> Result<(), Failure> {
    let quic = h3_quinn::Connection::new(incoming.await?);
    let mut http = h3::server::Connection::<_, Bytes>::new(quic).await?;
    while let Some(request) = http.accept().await? {
        let pages = pages.clone();
        tokio::spawn(async move {
            if let Err(error) = answer(request, pages).await {
                eprintln!("response ended: {error}");
            }
        });
    }
    Ok(())
}

async fn answer(request: RequestResolver<h3_quinn::Connection, Bytes>, pages: Arc<Pages>) -> Result<(), Failure> {
    let (request, mut stream) = request.resolve_request().await?;
    let (response, body) = pages.answer(request.method(), request.uri().path(), request.headers());
    stream.send_response(response.body(())?).await?;
    if !body.is_empty() {
        stream.send_data(body).await?;
    }
    stream.finish().await?;
    Ok(())
}
