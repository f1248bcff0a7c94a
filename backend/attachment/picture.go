package attachment

import (
	"bufio"
	"bytes"
	"context"
	"image"
	"image/color"
	_ "image/gif" // read, as the others are
	"image/jpeg"
	_ "image/png" // read, too
	"io"
	"os"
	"runtime/debug"

	_ "golang.org/x/image/bmp" // read, too
	"golang.org/x/image/draw"
	_ "golang.org/x/image/tiff" // read, too
	_ "golang.org/x/image/webp" // read, too

	"agentchat/backend/apperr"
	"agentchat/backend/event"
	"agentchat/backend/privatefile"
)

// PictureFormats are the formats of pictures that can be read, as people call them.
var PictureFormats = []string{"PNG", "JPEG", "WebP", "GIF", "BMP", "TIFF"}

// PictureEndings are how the names of such files end.
var PictureEndings = []string{".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"}

// What models look at: they scale what is larger down themselves, and take a picture apart in tiles of some hundred pixels.
const (
	longSide = 1568
	quality  = 88
)

// viewSuffix ends the name of a picture as it is shown and sent: made small and written anew, so that it says nothing of where and with
// what it was taken.
const viewSuffix = ".view"

// pictureFormat tells by its first bytes whether a file is a picture.
func pictureFormat(path string) (format string, ok bool) {
	file, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer func() { _ = file.Close() }()
	_, format, err = image.DecodeConfig(bufio.NewReader(file))
	return format, err == nil
}

// view makes the picture that is shown and sent, and gives the size of the original as it is to be seen.
func (r *Room) view(in received) (width, height int, err error) {
	picture, width, height, err := small(in.path)
	if err == nil && picture == nil {
		return 0, 0, refuse(in.name, nil, "그림이 너무 커요(5천만 화소까지). 줄여서 저장한 다음 첨부해 주세요", "the picture is too large (50 megapixels at most); save it smaller and attach that")
	}
	if err != nil {
		return 0, 0, brokenPicture(in.name, err)
	}
	if err := privatefile.Write(r.path(in.hash)+viewSuffix, picture); err != nil {
		return 0, 0, apperr.Wrap(err, apperr.StorageFailed)
	}
	return width, height, nil
}

func brokenPicture(name string, cause error) error {
	return refuse(name, cause, "그림이 망가졌거나 끝까지 받지 못한 파일이에요. 다시 저장한 다음 첨부해 주세요", "the picture is broken or not whole; save it again and attach that")
}

// Picture gives a picture as it is shown and sent: a JPEG of at most so many pixels a side. Errors: attachment_gone.
func (r *Room) Picture(ctx context.Context, id string) ([]byte, error) {
	file, err := r.open(id)
	if err != nil {
		return nil, err
	}
	_ = file.Close()
	if data, err := os.ReadFile(r.path(id) + viewSuffix); err == nil {
		return data, nil
	}
	done, err := r.alone(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	data, _, _, err := small(r.path(id))
	if err != nil || data == nil {
		return nil, apperr.Wrap(err, apperr.AttachmentGone)
	}
	if err := privatefile.Write(r.path(id)+viewSuffix, data); err != nil {
		r.deps.Log.Warn().Err(err).Msg("a picture is made small again next time")
	}
	return data, nil
}

// Thumbnail gives a picture for a list: a JPEG of at most so many pixels a side. Errors: attachment_gone.
func (r *Room) Thumbnail(ctx context.Context, id string, most int) ([]byte, error) {
	data, err := r.Picture(ctx, id)
	if err != nil {
		return nil, err
	}
	picture, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, apperr.Wrap(err, apperr.AttachmentGone)
	}
	return encode(picture, most, 1)
}

// Shown gives a picture that somebody else sent as it is shown: read here, where nothing in it can do anything, and written anew as a JPEG of
// at most so many pixels a side. It is nil when there are too many pixels. Errors: ctx's, and that of what is no picture.
func (r *Room) Shown(ctx context.Context, data []byte) ([]byte, error) {
	done, err := r.alone(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	picture, _, _, err := smaller(bytes.NewReader(data))
	return picture, err
}

// small is smaller of a file.
func small(path string) (picture []byte, width, height int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, 0, err
	}
	defer func() { _ = file.Close() }()
	return smaller(file)
}

// smaller reads a picture and writes it anew, upright and no larger than models look at. It is nil when there are too many pixels.
func smaller(file io.ReadSeeker) (picture []byte, width, height int, err error) {
	config, format, err := image.DecodeConfig(bufio.NewReader(file))
	if err != nil {
		return nil, 0, 0, err
	}
	if config.Width <= 0 || config.Height <= 0 || int64(config.Width)*int64(config.Height) > MostPixels {
		return nil, 0, 0, nil
	}
	turned := 1
	if format == "jpeg" {
		if _, err = file.Seek(0, io.SeekStart); err != nil {
			return nil, 0, 0, err
		}
		turned = orientation(bufio.NewReader(file))
	}
	if _, err = file.Seek(0, io.SeekStart); err != nil {
		return nil, 0, 0, err
	}
	full, _, err := image.Decode(bufio.NewReader(file))
	if err != nil {
		return nil, 0, 0, err
	}
	defer debug.FreeOSMemory() // what the pixels took is given back at once
	if width, height = config.Width, config.Height; turned > 4 {
		width, height = height, width
	}
	picture, err = encode(full, longSide, turned)
	return picture, width, height, err
}

// encode scales a picture down so that no side is longer than most, turns it upright and writes it as a JPEG; what is transparent is white.
func encode(full image.Image, most, turned int) ([]byte, error) {
	size := full.Bounds().Size()
	long := max(size.X, size.Y)
	if long > most {
		size = image.Pt(max(size.X*most/long, 1), max(size.Y*most/long, 1))
	}
	flat := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(flat, flat.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(flat, flat.Bounds(), full, full.Bounds(), draw.Over, nil)
	var out bytes.Buffer
	err := jpeg.Encode(&out, upright(flat, turned), &jpeg.Options{Quality: quality})
	return out.Bytes(), err
}

// upright turns and mirrors a picture as EXIF's orientation says it was taken.
func upright(p *image.RGBA, orientation int) image.Image {
	if orientation < 2 || orientation > 8 {
		return p
	}
	w, h := p.Rect.Dx(), p.Rect.Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if orientation > 4 {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			to := [...]image.Point{
				2: {X: w - 1 - x, Y: y}, 3: {X: w - 1 - x, Y: h - 1 - y}, 4: {X: x, Y: h - 1 - y},
				5: {X: y, Y: x}, 6: {X: h - 1 - y, Y: x}, 7: {X: h - 1 - y, Y: w - 1 - x}, 8: {X: y, Y: w - 1 - x},
			}[orientation]
			out.SetRGBA(to.X, to.Y, p.RGBAAt(x, y))
		}
	}
	return out
}

// Pictures gives those of some attachments that are pictures.
func Pictures(list []event.Attachment) (pictures []event.Attachment) {
	for _, a := range list {
		if a.Kind == event.AttachmentImage {
			pictures = append(pictures, a)
		}
	}
	return pictures
}
